"""From a region's syntax to the small language of scouts."""
