"""How well questions are answered: from the notes alone, and by language models that behave well or badly."""
