import { securityPosts } from '@tocsin/contract/security/post'
import { postImports, PostSheetRow } from '@tocsin/contract/security/post-import'
import { useTranslation } from 'react-i18next'
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
export const PostImportDrawer = ({ onClose }: { onClose: () => void }) => (
  <ImportDrawer definition={definition} options={{}} onClose={onClose} />
)
