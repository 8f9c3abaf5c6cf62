// Writes the SDK of every language but JavaScript, whose classes are in the npm package: "sdks SCHEMA FOLDER".
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	javagen "github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi/pkg/v3/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi-frontdoor"

type files = map[string][]byte

var generators = map[string]func(*schema.Package) (files, error){
	"dotnet": generateDotnet,
	"go":     func(pkg *schema.Package) (files, error) { return gogen.GeneratePackage(tool, pkg, nil) },
	"java": func(pkg *schema.Package) (files, error) {
		return javagen.GeneratePackage(tool, pkg, nil, nil, false, false)
	},
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

// The generator insists on an icon, which it downloads: it gets a plain one from here, so that no network is needed.
func generateDotnet(pkg *schema.Package) (files, error) {
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) {
		icon := image.NewRGBA(image.Rect(0, 0, 64, 64))
		draw.Draw(icon, icon.Bounds(), image.NewUniform(color.RGBA{R: 40, G: 70, B: 120, A: 255}), image.Point{}, draw.Src)
		_ = png.Encode(answer, icon)
	}))
	defer server.Close()
	pkg.LogoURL = server.URL
	// Of resources the generator itself shows the examples of its language alone.
	for _, function := range pkg.Functions {
		function.Comment = codegen.FilterExamples(function.Comment, "csharp")
	}
	return dotnet.GeneratePackage(tool, pkg, nil, nil)
}
