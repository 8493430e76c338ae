"""How the lexicons of the pocket annotator are made: sources, choice of words, files."""
