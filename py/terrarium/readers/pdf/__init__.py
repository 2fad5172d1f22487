"""PDF: what pdf.js says stands where → blocks in reading order."""
