import type { VisitTrend } from '@tocsin/contract/insight/visit'
import { DownloadOutlined } from '@ant-design/icons'
import { Button, theme } from 'antd'
import { LineChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { type EChartsType, init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

use([LineChart, GridComponent, LegendComponent, TooltipComponent, CanvasRenderer])

const sum = (list: readonly number[]) => list.reduce((all, item) => all + item, 0)

/** A chart with the width and the lifetime of its element. */
const useChart = () => {
  const element = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  useEffect(() => {
    if (!element.current) return undefined
    const made = init(element.current)
    chart.current = made
    const watcher = new ResizeObserver(() => made.resize())
    watcher.observe(element.current)
    return () => {
      watcher.disconnect()
      made.dispose()
      chart.current = undefined
    }
  }, [])
  return { element, chart }
}

/** Page views, visitors and addresses by day; exported as a picture on demand. */
export const VisitChart = ({ trend }: { trend: VisitTrend }) => {
  const { t } = useTranslation()
  const { token } = theme.useToken()
  const { element, chart } = useChart()
  const { dates, pvList, uvList, ipList } = trend
  useEffect(() => {
    const line = (name: string, data: number[]) => ({ type: 'line' as const, name, data, symbolSize: 6 })
    const axisLabel = { color: token.colorTextSecondary }
    chart.current?.setOption({
      color: [token.colorPrimary, token.colorSuccess, token.colorWarning],
      textStyle: { color: token.colorText, fontFamily: token.fontFamily },
      legend: { top: 0, textStyle: { color: token.colorText } },
      tooltip: {
        trigger: 'axis',
        backgroundColor: token.colorBgElevated,
        borderColor: token.colorBorder,
        textStyle: { color: token.colorText },
      },
      grid: { top: 40, left: 8, right: 16, bottom: 4, outerBoundsMode: 'same' },
      xAxis: { type: 'category', axisLabel, boundaryGap: false, data: dates.map((day) => day.slice(5)) },
      yAxis: { type: 'value', axisLabel, minInterval: 1, splitLine: { lineStyle: { color: token.colorSplit } } },
      series: [line(t('home.pv'), pvList), line(t('home.uv'), uvList), line(t('home.ip'), ipList)],
    })
  }, [chart, t, token, dates, pvList, uvList, ipList])
  const [from = '', to = ''] = [dates.at(0), dates.at(-1)]
  const save = () => {
    const link = document.createElement('a')
    link.download = `${t('home.visits')} ${from} ${to}.png`
    link.href = chart.current?.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: token.colorBgContainer }) ?? ''
    link.click()
  }
  const words = { from, to, pv: sum(pvList), uv: Math.round(sum(uvList) / dates.length) }
  return (
    <>
      <div ref={element} className="home-chart" role="img" aria-label={t('home.chart', words)} />
      <Button type="text" size="small" icon={<DownloadOutlined />} onClick={save}>
        {t('home.png')}
      </Button>
    </>
  )
}
