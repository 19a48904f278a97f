"""Items as Markdown, CSV, LaTeX and one HTML page, all from one neutral structure."""
