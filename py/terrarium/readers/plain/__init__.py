"""Text in any encoding: prose, source code, CSV, JSON, notebooks, subtitles."""
