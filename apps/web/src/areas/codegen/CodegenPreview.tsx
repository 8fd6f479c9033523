import { DownloadOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { codegens } from '@tocsin/contract/codegen/calls'
import type { CodegenFile, CodegenTable } from '@tocsin/contract/codegen/codegen'
import { Alert, Button, Flex, Grid, Select, Skeleton, Tag, Tree } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { download } from '#api/download.ts'
import { showError } from '#api/messages.ts'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { AppDrawer } from '#ui/overlay/AppDrawer.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { CopyButton } from '#ui/copy/CopyButton.tsx'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'

/** A folder or a file; a folder with a single child folder is joined with it on one line, as in editors. */
type Branch = { key: string; title: string; leaf: boolean; list: boolean; children: Branch[] }

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

const branchesOf = (files: readonly CodegenFile[]): Branch[] => {
  const branches: Branch[] = []
  for (const file of files) grow(branches, file.filePath.split('/'), file, '')
  return branches.map(joined)
}

// Half a megabyte that no other page needs.
const CodeView = lazyComponent(async () => (await import('./CodeView.tsx')).CodeView, { before: <Skeleton active /> })

type Choice = { files: readonly CodegenFile[]; path: string; onChoose: (path: string) => void }

const FileTree = ({ files, path, onChoose }: Choice) => {
  const { t } = useTranslation()
  return (
    <Tree<Branch>
      aria-label={t('codegen.files')}
      className="code-tree"
      blockNode
      showLine
      defaultExpandAll
      treeData={branchesOf(files)}
      selectedKeys={[path]}
      onSelect={(_, { node }) => node.leaf && onChoose(node.key)}
      titleRender={({ title, list }) => (
        <>
          {title} {list && <Tag>{t('codegen.listFile')}</Tag>}
        </>
      )}
    />
  )
}

const FileSelect = ({ files, path, onChoose }: Choice) => {
  const { t } = useTranslation()
  const optionsOf = (list: boolean) =>
    files
      .filter((file) => file.list === list)
      .map(({ filePath }) => ({ value: filePath, label: filePath.split('/').at(-1), title: filePath }))
  const groups = [
    { label: t('codegen.newFile'), options: optionsOf(false) },
    { label: t('codegen.listFile'), options: optionsOf(true) },
  ]
  return (
    <Select
      aria-label={t('codegen.files')}
      value={path}
      onChange={onChoose}
      options={groups}
      style={{ width: '100%' }}
    />
  )
}

const Files = ({ files }: { files: readonly CodegenFile[] }) => {
  const { t } = useTranslation()
  const wide = Grid.useBreakpoint().lg ?? true
  const [chosen, setChosen] = useState(files[0]?.filePath ?? '')
  const file = files.find(({ filePath }) => filePath === chosen)
  const choice = { files, path: chosen, onChoose: setChosen }
  return (
    <div className="code-files" data-wide={wide}>
      {wide ? <FileTree {...choice} /> : <FileSelect {...choice} />}
      <Flex vertical gap="small" className="code-file">
        <Flex gap="small" align="center" justify="space-between">
          <code className="breaks">{chosen}</code>
          {file && (
            <span className="code-copy">
              <CopyButton text={file.code} label={t('icon.copy')} />
            </span>
          )}
        </Flex>
        {file && <CodeView path={file.filePath} code={file.code} />}
      </Flex>
    </div>
  )
}

/** The files of a module as they would be downloaded. */
export const CodegenPreview = ({ table, onClose }: { table: CodegenTable; onClose: () => void }) => {
  const { t } = useTranslation()
  const mayDownload = useHasPermission('infra:codegen:download')
  const query = { tableId: table.id }
  const { data, error, refetch } = useQuery({ ...inlineQuery(codegens.preview, { query }), staleTime: 0, gcTime: 0 })
  const generate = () => void download(codegens.download, { query: { tableId: [table.id] } }).catch(showError)
  return (
    <AppDrawer
      onClose={onClose}
      size="min(1280px, 100vw)"
      title={t('codegen.previewOf', { name: table.tableName })}
      extra={
        mayDownload && (
          <Button type="primary" icon={<DownloadOutlined />} onClick={generate} disabled={!data}>
            {t('codegen.download')}
          </Button>
        )
      }
    >
      <Flex vertical gap="middle" style={{ height: '100%' }}>
        <Alert type="info" showIcon title={t('codegen.howTo')} />
        {data && <Files files={data} />}
        {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton active />)}
      </Flex>
    </AppDrawer>
  )
}
