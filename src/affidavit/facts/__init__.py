"""The facts of a business: crawled from its own website, gathered in a register, decided on by a person."""
