module github.com/ptxsan/ptxsan

go 1.26
