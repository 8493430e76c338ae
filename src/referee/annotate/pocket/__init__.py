"""The bundled annotator: heads on the pocket encoder, and lexicons."""
