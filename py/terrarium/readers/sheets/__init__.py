"""Spreadsheets: XLSX and ODS are read into one model of sheets, rows and cells, and that is turned into blocks."""
