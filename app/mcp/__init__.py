"""The vault over the Model Context Protocol: tools and resources for other programs' agents."""
