import type { CodegenFile } from '@tocsin/contract/codegen/codegen'

/** A folder or a file; a folder with a single child folder is joined with it on one line, as in editors. */
export type Branch = { key: string; title: string; leaf: boolean; list: boolean; children: Branch[] }

const grow = (branches: Branch[], parts: readonly string[], file: CodegenFile, under: string): void => {
  const [title = '', ...rest] = parts
  const key = `${under}${title}`
  const known = branches.find((branch) => branch.key === key)
  const branch = known ?? { key, title, leaf: rest.length === 0, list: rest.length === 0 && file.list, children: [] }
  if (!known) branches.push(branch)
  if (rest.length > 0) grow(branch.children, rest, file, `${key}/`)
}

const joined = (branch: Branch): Branch => {
  const [only] = branch.children
  if (branch.children.length === 1 && only && !only.leaf)
    return joined({ ...only, title: `${branch.title}/${only.title}` })
  return { ...branch, children: branch.children.map(joined) }
}

export const branchesOf = (files: readonly CodegenFile[]): Branch[] => {
  const branches: Branch[] = []
  for (const file of files) grow(branches, file.filePath.split('/'), file, '')
  return branches.map(joined)
}
