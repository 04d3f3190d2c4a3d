"""What evidence costs an agent: tokens, calls and seconds, by the tools of the server and by ripgrep."""
