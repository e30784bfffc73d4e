// Functions of cuRAND's host API that exist by name only: see missing.c.
MISSING(curandCreateGenerator) MISSING(curandCreateGeneratorHost) MISSING(curandCreatePoissonDistribution) MISSING(curandDestroyDistribution)
MISSING(curandDestroyGenerator) MISSING(curandGenerate) MISSING(curandGenerateLogNormal) MISSING(curandGenerateLogNormalDouble)
MISSING(curandGenerateLongLong) MISSING(curandGenerateNormal) MISSING(curandGenerateNormalDouble) MISSING(curandGeneratePoisson)
MISSING(curandGeneratePoissonMethod) MISSING(curandGenerateSeeds) MISSING(curandGenerateUniform) MISSING(curandGenerateUniformDouble)
MISSING(curandGetDirectionVectors32) MISSING(curandGetDirectionVectors64) MISSING(curandGetProperty) MISSING(curandGetScrambleConstants32)
MISSING(curandGetScrambleConstants64) MISSING(curandGetVersion) MISSING(curandSetGeneratorOffset) MISSING(curandSetGeneratorOrdering)
MISSING(curandSetPseudoRandomGeneratorSeed) MISSING(curandSetQuasiRandomGeneratorDimensions) MISSING(curandSetStream)
