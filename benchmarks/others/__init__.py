"""Programs of others, fetched by whoever measures, in each way of running ahead."""
