// Writes the SDK of every language that Pulumi's own module has a generator for: "sdks SCHEMA FOLDER".
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi-frontdoor"

type files = map[string][]byte

var generators = map[string]func(*schema.Package) (files, error){
	"dotnet": generateDotnet,
	"go":     func(pkg *schema.Package) (files, error) { return gogen.GeneratePackage(tool, pkg, nil) },
	"nodejs": generateNodejs,
	"python": func(pkg *schema.Package) (files, error) { return python.GeneratePackage(tool, pkg, nil, nil) },
}

func main() {
	if len(os.Args) != 3 {
		fail(errors.New("usage: sdks SCHEMA FOLDER"))
	}
	text, err := os.ReadFile(os.Args[1])
	fail(err)
	var spec schema.PackageSpec
	fail(json.Unmarshal(text, &spec))
	for language, generate := range generators {
		// Bound anew for each, since a generator leaves marks of its own in what it is given.
		pkg, err := schema.ImportSpec(spec, nil, schema.ValidationOptions{})
		fail(err)
		made, err := generate(pkg)
		fail(err)
		for name, content := range made {
			path := filepath.Join(os.Args[2], language, filepath.FromSlash(name))
			fail(os.MkdirAll(filepath.Dir(path), 0o755))
			fail(os.WriteFile(path, content, 0o644))
		}
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "sdks:", err)
		os.Exit(1)
	}
}
