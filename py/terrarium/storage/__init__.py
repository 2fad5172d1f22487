"""Where a library is kept: `memory`, `sqlite` (desk), `indexeddb` (tab)."""
