import type { HopStat } from '@tocsin/contract/insight/govern'
import { DownloadOutlined } from '@ant-design/icons'
import { Button, Flex } from 'antd'
import { useTranslation } from 'react-i18next'
import { type ChartTable, saveSheet } from '#ui/chart/save-sheet.ts'

/** `P50 / P90` in seconds. */
export const formatSteps = ({ p50, p90 }: HopStat): string => (p90 === null ? '–' : `${p50} / ${p90}`)

type Props = { title: string; subtitle: string; toSheet: () => ChartTable }

/** The head of a table of figures, with its sheet to download. */
export const TableHead = ({ title, subtitle, toSheet }: Props) => {
  const { t } = useTranslation()
  return (
    <Flex justify="space-between" align="start" gap="small">
      <div>
        <h3 className="chart-title">{title}</h3>
        <div className="chart-subtitle">{subtitle}</div>
      </div>
      <Button size="small" icon={<DownloadOutlined />} onClick={() => saveSheet(title, toSheet())}>
        {t('chart.saveTable')}
      </Button>
    </Flex>
  )
}
