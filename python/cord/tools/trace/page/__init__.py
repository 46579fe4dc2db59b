"""The page of `cord report`: one file that opens from disk, without anything from elsewhere."""
