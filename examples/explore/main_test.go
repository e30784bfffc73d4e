package main

func Example() {
	if err := explore("../message-passing/racy"); err != nil {
		panic(err)
	}
	// Output: ./racy.cu:10 and ./racy.cu:17: 100 of 100 schedules
}
