// Go's net/http behind the proxy of its environment; prints a line "STATUS TEXT" for each URL.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	for _, url := range os.Args[1:] {
		answer, err := http.Get(url)
		if err != nil {
			fmt.Println(0, err)
			continue
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		fmt.Println(answer.StatusCode, strings.ReplaceAll(string(text), "\n", " "))
	}
}
