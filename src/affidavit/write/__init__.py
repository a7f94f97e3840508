"""The writer that asserts nothing outside a register of approved facts."""
