import { postTypes, SecurityPostQuery, type SecurityPostRow, securityPosts } from '@tocsin/contract/security/post'
import { ImportOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Flex, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { EnumSelect, Filter, YesNo } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { RowActions } from '#ui/list/RowActions.tsx'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import '../duty.css'
import { CheckCodeDialog } from './CheckCodeDialog.tsx'
import { ComplianceStrip } from './ComplianceStrip.tsx'
import { GenerateDialog } from './GenerateDialog.tsx'
import { postColumns } from './post-columns.tsx'
import { postImports, PostSheetRow } from '@tocsin/contract/security/post-import'
import type { ImportDefinition } from '#ui/import/import-definition.ts'
import { ImportDrawer } from '#ui/import/ImportDrawer.tsx'

const definition: ImportDefinition = {
  endpoints: postImports,
  jobName: 'security-post-import',
  sheet: PostSheetRow,
  key: 'name',
  list: securityPosts.page,
  useTexts: () => {
    const { t } = useTranslation()
    return { title: t('duty.importTitle'), help: t('duty.importHelp') }
  },
}

/** Posts of schools from a spreadsheet. */
const PostImportDrawer = ({ onClose }: { onClose: () => void }) => (
  <ImportDrawer definition={definition} options={{}} onClose={onClose} />
)

const POLL_MS = 30_000

const filters = (
  <>
    <Filter of={SecurityPostQuery} name="keyword">
      <Input allowClear maxLength={64} />
    </Filter>
    <Filter of={SecurityPostQuery} name="type">
      <EnumSelect kind="postType" values={postTypes} />
    </Filter>
    <Filter of={SecurityPostQuery} name="schoolId">
      <SchoolSelect />
    </Filter>
    <Filter of={SecurityPostQuery} name="short">
      <YesNo />
    </Filter>
    <Filter of={SecurityPostQuery} name="lacking">
      <YesNo />
    </Filter>
  </>
)

/** Posts of schools and departments, with the compliance of each school. */
export const SecurityPostPage = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayCreate = useHasPermission('security:post:create')
  const mayUpdate = useHasPermission('security:post:update')
  const mayDelete = useHasPermission('security:post:delete')
  const mayExport = useHasPermission('security:post:export')
  const mayImport = useHasPermission('security:post:import')
  const [params, setParams] = useSearchParams()
  // The list of jobs links here to continue an import.
  const [dialog, setDialog] = useState<'generate' | 'import' | SecurityPostRow | undefined>(
    params.has('import') ? 'import' : undefined,
  )
  const closeImport = () => {
    setDialog(undefined)
    if (params.has('import'))
      setParams((now) => {
        now.delete('import')
        return now
      })
  }
  const remove = useDeletion(securityPosts.delete)
  const create = mayCreate && (
    <Flex gap="small" wrap>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate('/duty/post/form/new')}>
        {t('list.create')}
      </Button>
      <Button onClick={() => setDialog('generate')}>{t('duty.generate')}</Button>
    </Flex>
  )
  return (
    <>
      <ComplianceStrip />
      <ListPage
        query={SecurityPostQuery}
        source={(query) => queryFor(securityPosts.page, { query })}
        everyMs={POLL_MS}
        columns={postColumns}
        rowKey={({ id }) => id}
        filters={filters}
        left={
          <>
            {create}
            {mayImport && (
              <Button icon={<ImportOutlined />} onClick={() => setDialog('import')}>
                {t('importing.import')}
              </Button>
            )}
          </>
        }
        exporting={(query) => mayExport && <ExportButton calls={securityPosts} query={query} />}
        onOpen={({ id }) => void navigate(`/duty/post/form/${id}`)}
        actions={(post) => (
          <RowActions
            items={[
              {
                key: 'edit',
                label: t(mayUpdate ? 'list.edit' : 'list.detail'),
                run: () => void navigate(`/duty/post/form/${post.id}`),
              },
              mayUpdate && { key: 'code', label: t('duty.printCode'), run: () => setDialog(post) },
              mayDelete && {
                key: 'delete',
                label: t('list.delete'),
                run: () => void remove(post.id, post.name),
                danger: true,
              },
            ]}
          />
        )}
        empty={{ text: t('duty.noPosts'), next: create }}
      />
      {dialog === 'generate' && <GenerateDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'import' && <PostImportDrawer onClose={closeImport} />}
      {typeof dialog === 'object' && <CheckCodeDialog post={dialog} onClose={() => setDialog(undefined)} />}
    </>
  )
}
