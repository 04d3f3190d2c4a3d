"""The text of files that are no notes: canvases, PDF, Office, web pages, books and plain text."""
