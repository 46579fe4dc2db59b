"""The papers that Cord comes from, run again beside the plain program under Cord."""
