"""What a bundle starts: the MCP server of the vault that a person chose when they installed it."""

import sys

from vault_assistant.cli.main import main

sys.exit(main(["mcp", *sys.argv[1:]]))
