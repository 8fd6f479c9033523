import { useQuery } from '@tanstack/react-query'
import { codegens } from '@tocsin/contract/codegen/calls'
import type { CodegenChange, CodegenTable } from '@tocsin/contract/codegen/codegen'
import { Alert, Flex, Skeleton, Tag, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { notify } from '#ui/notify.ts'

const colors = { ADDED: 'green', REMOVED: 'red', CHANGED: 'blue' } as const

const Side = ({ label, text }: { label: string; text: string | null }) =>
  text === null ? null : (
    <div>
      <Typography.Text type="secondary">{label}</Typography.Text> <code className="breaks">{text}</code>
    </div>
  )

const Change = ({ change: { columnName, change, before, after } }: { change: CodegenChange }) => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <Flex vertical gap={4} style={{ paddingBlock: 8 }}>
      <Flex gap="small" align="center">
        <code className="breaks">{columnName}</code>
        <Tag color={colors[change]}>{enumLabel('codegenChange', change, lang)}</Tag>
      </Flex>
      <Side label={t('codegen.before')} text={before} />
      <Side label={t('codegen.after')} text={after} />
    </Flex>
  )
}

/** Shows how the database differs from the import, before the sync. */
export const SyncDialog = ({ table, onClose }: { table: CodegenTable; onClose: () => void }) => {
  const { t } = useTranslation()
  const query = { tableId: table.id }
  const { data, isError } = useQuery({ ...queryFor(codegens.compare, { query }), staleTime: 0, gcTime: 0 })
  const sync = useApiMutation(codegens.sync)
  const run = () =>
    sync.mutate(
      { query },
      {
        onSuccess: () => {
          notify.success(t('codegen.synced'))
          onClose()
        },
      },
    )
  const nothing = !data || data.length === 0
  return (
    <AppModal
      title={t('codegen.syncTitle', { name: table.tableName })}
      onCancel={onClose}
      onOk={run}
      okText={t('codegen.sync')}
      okButtonProps={{ disabled: nothing, loading: sync.isPending }}
      cancelText={t('list.cancel')}
    >
      {!data && !isError && <Skeleton active />}
      {data?.length === 0 && <Alert type="success" showIcon title={t('codegen.syncSame')} />}
      {data && data.length > 0 && (
        <>
          <Typography.Paragraph type="secondary">{t('codegen.syncHelp')}</Typography.Paragraph>
          {data.map((change) => (
            <Change key={change.columnName} change={change} />
          ))}
        </>
      )}
    </AppModal>
  )
}
