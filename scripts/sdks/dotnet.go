package main

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"net/http/httptest"

	"github.com/pulumi/pulumi/pkg/v3/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

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
