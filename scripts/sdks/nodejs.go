package main

import (
	"bytes"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// The generator relies on filepath.Rel("config", "") being "../."; built with a Go that answers "..", it takes files in folders for
// files beside their folder. Files that are right already stay as they are.
func generateNodejs(pkg *schema.Package) (files, error) {
	made, err := nodejs.GeneratePackage(tool, pkg, nil, nil, false, nil)
	for name, content := range made {
		if strings.Contains(name, "/") {
			content = bytes.ReplaceAll(content, []byte(`from "./utilities"`), []byte(`from "../utilities"`))
			made[name] = bytes.ReplaceAll(content, []byte(`from "./types/`), []byte(`from "../types/`))
		}
	}
	return made, err
}
