"""How the pocket translator is made: corpus, vocabulary, network, training, and the one file that is shipped."""
