# The flake of the repository for packages, where a release puts it beside the expression that goreleaser
# writes (nix in .goreleaser.yaml). To use it: nix run github:OWNER/REPOSITORY#epsiloscope
{
  description = "A privacy-budget explorer for the terminal";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      expression = import ./pkgs/epsiloscope/default.nix;
      # The expression takes the system as an argument in some versions of goreleaser, as a flake may not ask for it.
      epsiloscopeFor =
        system:
        nixpkgs.legacyPackages.${system}.callPackage expression (
          builtins.intersectAttrs (builtins.functionArgs expression) { inherit system; }
        );
    in
    {
      packages = nixpkgs.lib.genAttrs systems (system: {
        epsiloscope = epsiloscopeFor system;
        default = epsiloscopeFor system;
      });
    };
}
