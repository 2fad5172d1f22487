"""`terrarium evaluate`: sets read from disk, libraries and written texts that are kept, reports with plots."""
