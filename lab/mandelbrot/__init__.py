"""Mandelbrot on four machines: Kim and Purtilo."""
