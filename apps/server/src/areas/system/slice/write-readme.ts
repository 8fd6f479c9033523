import type { CodegenFile } from '@tocsin/contract/system/codegen/codegen'
import { file } from './layout.ts'
import type { Slice } from './slice.ts'

const paths = (files: readonly CodegenFile[], list: boolean): string[] =>
  files.filter((one) => one.list === list).map(({ filePath }) => `- \`${filePath}\``)

/** What is in the zip and what to do with it; not a part of the product. */
export const writeReadme = ({ table, files: { readme } }: Slice, files: readonly CodegenFile[]): string =>
  file(
    `# \`${table.tableName}\``,
    '',
    '解压到代码目录（覆盖同名的清单文件），然后依次运行 / Unpack over the checkout (lists of the same name are replaced), then run:',
    '',
    '```sh',
    'npm run openapi   # docs/openapi.json 由接口生成 / is printed from the calls, and held fresh by a test',
    'npm test -- --quick',
    'npm start         # 启动时执行迁移并添加菜单 / migrates and adds the menu',
    '```',
    '',
    `菜单只对管理员可见，请在角色管理中分配权限。/ The menu is the administrator's until a role gets it.`,
    `本说明 \`${readme}\` 可删除。/ This file may go afterwards.`,
    '',
    '## 新文件 / New files',
    '',
    ...paths(files, false),
    '',
    '## 清单文件 / Lists with their new lines',
    '',
    ...paths(files, true),
  )
