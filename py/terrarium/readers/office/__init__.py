"""DOCX, PPTX, ODT, ODP and RTF."""
