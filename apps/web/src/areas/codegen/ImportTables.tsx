import { useQuery } from '@tanstack/react-query'
import { codegens, TABLES_AT_ONCE } from '@tocsin/contract/codegen/calls'
import { type CodegenProblem, DbTable } from '@tocsin/contract/codegen/codegen'
import { labelIn } from '@tocsin/contract/field'
import { Flex, Table, Tag, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { notify } from '#ui/notify.ts'
import { SearchBox } from '#ui/tree/SearchBox.tsx'

const Problem = ({ problem, detail }: { problem: CodegenProblem; detail: string | null }) => {
  const lang = useLang()
  return (
    <Typography.Text type="secondary">
      {enumLabel('codegenProblem', problem, lang)} {detail && <code className="breaks">{detail}</code>}
    </Typography.Text>
  )
}

const NameText = ({ table }: { table: DbTable }) => {
  const { t } = useTranslation()
  const lang = useLang()
  return (
    <Flex vertical>
      <span>
        <code className="breaks">{table.name}</code> {table.product && <Tag>{t('codegen.product')}</Tag>}{' '}
        {table.looked && <Tag color="blue">{labelIn(lang, DbTable.shape.looked)}</Tag>}
      </span>
      {table.problem && <Problem problem={table.problem} detail={table.detail} />}
    </Flex>
  )
}

/** Selects tables of the database to import. */
export const ImportTables = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const { data = [], isFetching } = useQuery(queryFor(codegens.dbTables, { query: {} }))
  const bring = useApiMutation(codegens.create)
  const shown = data.filter(({ name, comment }) => `${name} ${comment ?? ''}`.includes(text.trim()))
  const run = () =>
    bring.mutate(
      { body: { tableNames: chosen } },
      {
        onSuccess: (ids) => {
          notify.success(t('codegen.imported', { n: ids.length }))
          onClose()
        },
      },
    )
  return (
    <AppModal
      title={t('codegen.importTitle')}
      width={720}
      onCancel={onClose}
      onOk={run}
      okText={t('codegen.importChosen', { n: chosen.length })}
      okButtonProps={{ disabled: chosen.length === 0 || chosen.length > TABLES_AT_ONCE, loading: bring.isPending }}
      cancelText={t('list.cancel')}
      mask={{ closable: false }}
    >
      <Typography.Paragraph type="secondary">{t('codegen.importHelp')}</Typography.Paragraph>
      <Flex vertical gap="small">
        <SearchBox label={labelIn(lang, DbTable.shape.name)} value={text} onChange={setText} />
        <Table<DbTable>
          size="small"
          rowKey="name"
          loading={isFetching}
          dataSource={shown}
          pagination={false}
          scroll={{ y: '46vh' }}
          locale={{ emptyText: t('codegen.importNone') }}
          rowSelection={{
            selectedRowKeys: chosen,
            onChange: (keys) => setChosen(keys.map(String)),
            getCheckboxProps: ({ problem, name }) => ({ disabled: problem !== null, 'aria-label': name }),
          }}
          columns={[
            {
              title: labelIn(lang, DbTable.shape.name),
              key: 'name',
              render: (_, table) => <NameText table={table} />,
            },
            { title: labelIn(lang, DbTable.shape.comment), key: 'comment', render: (_, { comment }) => comment ?? '–' },
          ]}
        />
      </Flex>
    </AppModal>
  )
}
