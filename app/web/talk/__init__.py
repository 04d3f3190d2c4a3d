"""Ask and chat on the page: what is said is streamed, what is to be written is shown first."""
