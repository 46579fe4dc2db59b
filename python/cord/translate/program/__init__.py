"""The program's own translation: its calls become takes, some values are received later."""
