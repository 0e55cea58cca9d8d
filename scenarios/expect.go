package scenarios

// defaultTolerance is relative: what a figure computed twice may differ by.
const defaultTolerance = 1e-9
