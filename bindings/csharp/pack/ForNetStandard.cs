using System;
using System.Linq;
using Mono.Cecil;

/// <summary>
/// Makes an assembly that mono has compiled against its own libraries refer to .NET Standard 2.1 instead: the same types
/// under the name by which every .NET knows them. Arguments: the assembly, and where to write it.
/// </summary>
internal static class ForNetStandard
{
    private static int Main(string[] arguments)
    {
        using (AssemblyDefinition assembly = AssemblyDefinition.ReadAssembly(arguments[0]))
        {
            ModuleDefinition module = assembly.MainModule;
            var standard = new AssemblyNameReference("netstandard", new Version(2, 1, 0, 0))
            {
                PublicKeyToken = new byte[] { 0xcc, 0x7b, 0x13, 0xff, 0xcd, 0x2d, 0xdd, 0x51 },
            };
            AssemblyNameReference[] own = module.AssemblyReferences.ToArray();
            module.AssemblyReferences.Add(standard);
            foreach (TypeReference type in module.GetTypeReferences())
            {
                if (type.Scope is AssemblyNameReference) type.Scope = standard;
            }
            foreach (AssemblyNameReference reference in own) module.AssemblyReferences.Remove(reference);
            assembly.Write(arguments[1]);
        }
        using (AssemblyDefinition written = AssemblyDefinition.ReadAssembly(arguments[1]))
        {
            AssemblyNameReference other = written.MainModule.AssemblyReferences.FirstOrDefault(one => one.Name != "netstandard");
            if (other == null) return 0;
            Console.Error.WriteLine(arguments[1] + " still refers to " + other.FullName);
            return 1;
        }
    }
}
