"""Write the MCP server into the configuration of another program."""
