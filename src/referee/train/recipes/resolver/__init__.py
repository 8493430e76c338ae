"""The recipe of the pocket resolver: GUM's documents, examples, networks, training, and its measure."""
