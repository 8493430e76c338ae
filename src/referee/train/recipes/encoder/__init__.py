"""How the pocket encoder was made: text, pieces, the masked language model, then the heads of the annotators."""
