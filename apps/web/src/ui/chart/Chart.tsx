import { DownloadOutlined } from '@ant-design/icons'
import { Button, Flex, Segmented, Table, theme } from 'antd'
import { BarChart, HeatmapChart, LineChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TooltipComponent, VisualMapComponent } from 'echarts/components'
import { type EChartsCoreOption, type EChartsType, init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef, useState, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type ChartTable, saveAs, saveSheet } from './save-sheet.ts'
import { useDarkTheme } from './use-dark-theme.ts'
import './chart.css'

/** Where a letter is typed or belongs to what is open above the page. */
const OWN_KEYS = 'input, textarea, select, [contenteditable], [role="dialog"]'

const isToggle = ({ key, target, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean =>
  key.toLowerCase() === 't' &&
  !(ctrlKey || metaKey || altKey || isComposing) &&
  !(target instanceof Element && target.closest(OWN_KEYS))

/** Calls back when T is pressed outside of a text. */
const useToggleKey = (onToggle: () => void): void => {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (isToggle(event)) onToggle()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

use([
  BarChart,
  HeatmapChart,
  LineChart,
  GridComponent,
  LegendComponent,
  TooltipComponent,
  VisualMapComponent,
  CanvasRenderer,
])

/** Told apart under protan, deutan and tritan vision, in light and dark. */
const seriesColors = {
  light: ['#0b57c2', '#c2600a', '#0a8f6b', '#a2338a', '#39424f'],
  dark: ['#6ea2ff', '#f2a154', '#4fd6ac', '#e58fd0', '#7b8698'],
} as const

type ChartProps = {
  /** The finding, as a sentence; the name of downloaded files and of the picture for screen readers. */
  title: string
  /** What is measured. */
  subtitle?: string
  /** An ECharts option without colors and fonts. */
  option: EChartsCoreOption
  table: ChartTable
  height?: number
  /** The list of the rows behind the figures; undefined for users without that screen. */
  to?: string | undefined
}

type ChartAxis = Record<string, unknown>
type AxisTokens = { colorTextSecondary: string; colorBorder: string; colorBorderSecondary: string }

type ChartSeries = { label?: { position?: string } } & Record<string, unknown>

/** Writes labels outside of bars and points in the color of the text: that of the chart library suits a white page only. */
const withLabelColors = (series: unknown, color: string): unknown =>
  Array.isArray(series)
    ? series.map((sery: ChartSeries) =>
        sery.label?.position === undefined ? sery : { ...sery, label: { color, textBorderWidth: 0, ...sery.label } },
      )
    : series

/** Gives an axis, or each of several, the colors of the theme: those of the chart library suit a white page only. */
const withThemeColors = (axis: unknown, tokens: AxisTokens): unknown => {
  if (Array.isArray(axis)) return axis.map((item) => withThemeColors(item, tokens))
  if (axis === undefined) return undefined
  const { axisLabel, ...rest } = axis as ChartAxis
  return {
    axisLabel: { color: tokens.colorTextSecondary, ...(axisLabel as object) },
    nameTextStyle: { color: tokens.colorTextSecondary },
    axisLine: { lineStyle: { color: tokens.colorBorder } },
    splitLine: { lineStyle: { color: tokens.colorBorderSecondary } },
    ...rest,
  }
}

const Picture = ({
  option,
  title,
  height,
  onReady,
}: Pick<ChartProps, 'option' | 'title'> & {
  height: number
  onReady: (chart: EChartsType | undefined) => void
}) => {
  const element = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  const { token } = theme.useToken()
  const isDark = useDarkTheme()
  useEffect(() => {
    if (!element.current) return undefined
    const made = init(element.current)
    chart.current = made
    onReady(made)
    const observer = new ResizeObserver(() => made.resize())
    observer.observe(element.current)
    return () => {
      observer.disconnect()
      made.dispose()
      chart.current = undefined
      onReady(undefined)
    }
  }, [onReady])
  useEffect(() => {
    chart.current?.setOption(
      {
        color: [...seriesColors[isDark ? 'dark' : 'light']],
        textStyle: { color: token.colorText, fontFamily: token.fontFamily },
        tooltip: {
          trigger: 'axis',
          backgroundColor: token.colorBgElevated,
          borderColor: token.colorBorder,
          textStyle: { color: token.colorText },
        },
        animation: false,
        ...option,
        xAxis: withThemeColors(option['xAxis'], token),
        yAxis: withThemeColors(option['yAxis'], token),
        series: withLabelColors(option['series'], token.colorText),
        ...(option['legend'] !== undefined && {
          legend: { textStyle: { color: token.colorText }, ...(option['legend'] as object) },
        }),
      },
      { notMerge: true },
    )
  }, [option, token, isDark])
  return <div ref={element} role="img" aria-label={title} style={{ height }} />
}

/** A chart with its table; both show the same rows and can be downloaded. The key T turns all charts of a page. */
export const Chart = ({ title, subtitle, option, table, height = 260, to }: ChartProps) => {
  const { t } = useTranslation()
  const { token } = theme.useToken()
  const [view, setView] = useState<'chart' | 'table'>('chart')
  useToggleKey(() => setView((now) => (now === 'chart' ? 'table' : 'chart')))
  const [chart, setChart] = useState<EChartsType>()
  const saveImage = () =>
    saveAs(
      `${title}.png`,
      chart?.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: token.colorBgContainer }) ?? '',
    )
  const saveTable = () => saveSheet(title, table)
  const views = (['chart', 'table'] as const).map((value) => ({ value, label: t(`chart.${value}`) }))
  return (
    <section className="chart-panel">
      <Flex justify="space-between" align="start" gap="small" wrap>
        <div>
          <h3 className="chart-title">{title}</h3>
          {subtitle && <div className="chart-subtitle">{subtitle}</div>}
        </div>
        <Flex gap="small" align="center">
          {to !== undefined && <Link to={to}>{t('chart.rows')}</Link>}
          <Segmented
            size="small"
            options={views}
            value={view}
            onChange={setView}
            aria-label={`${t('chart.view')} (T)`}
          />
          <Button size="small" icon={<DownloadOutlined />} onClick={view === 'chart' ? saveImage : saveTable}>
            {t(view === 'chart' ? 'chart.saveImage' : 'chart.saveTable')}
          </Button>
        </Flex>
      </Flex>
      {view === 'chart' ? (
        <Picture option={option} title={title} height={height} onReady={setChart} />
      ) : (
        <Table
          size="small"
          pagination={table.rows.length > 20 && { pageSize: 20, showSizeChanger: false }}
          rowKey={(row) => row.join('\u0000')}
          dataSource={[...table.rows]}
          columns={table.headings.map((heading, at) => ({
            key: heading,
            title: heading,
            align: at === 0 ? ('start' as const) : ('end' as const),
            render: (_: unknown, row: readonly (string | number)[]) => row[at],
          }))}
        />
      )}
    </section>
  )
}
