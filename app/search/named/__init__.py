"""Named indexes, asked from outside: the same document for the command line and over MCP."""
