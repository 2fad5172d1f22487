"""Mail and mailboxes."""
