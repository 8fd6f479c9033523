import { SettingOutlined } from '@ant-design/icons'
import { Button, Checkbox, Flex } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import type { Column } from '../column.tsx'
import { AppPopover } from '../overlay/AppPopover.tsx'
import { type ColumnChoice, chooseColumn, resetColumns } from './column-choice.ts'
import { isColumnShown } from './use-columns.ts'

type Props<Row> = { list: string; columns: readonly Column<Row>[]; choice: ColumnChoice }

const Choices = <Row,>({ list, columns, choice }: Props<Row>) => {
  const { t } = useTranslation()
  const lang = useLang()
  const shown = columns.filter((column) => isColumnShown(column, choice))
  return (
    <Flex vertical gap={4} style={{ maxHeight: 420, overflowY: 'auto' }}>
      {columns.map((column) => {
        const isShown = shown.includes(column)
        return (
          <Checkbox
            key={column.key}
            checked={isShown}
            disabled={isShown && shown.length === 1}
            onChange={({ target }) => chooseColumn(list, column.key, target.checked)}
          >
            {column.title(lang)}
          </Checkbox>
        )
      })}
      <Button size="small" type="link" onClick={() => resetColumns(list)}>
        {t('list.columnsReset')}
      </Button>
    </Flex>
  )
}

/** Chooses the columns of a list, which stay chosen for this user. */
export const ColumnsButton = <Row,>(props: Props<Row>) => {
  const { t } = useTranslation()
  return (
    <AppPopover content={<Choices {...props} />} placement="bottomRight">
      <Button type="text" icon={<SettingOutlined />} aria-label={t('list.columns')} title={t('list.columns')} />
    </AppPopover>
  )
}
