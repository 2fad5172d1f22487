"""HTML, EPUB, Markdown and XML, and what their styles hide."""
