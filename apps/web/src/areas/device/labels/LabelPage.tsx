import { devices, type DeviceRow } from '@tocsin/contract/device/device'
import { MAX_PAGE_SIZE } from '@tocsin/contract/page'
import { DownloadOutlined, PrinterOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Empty, Flex, InputNumber, QRCode } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { save } from '#api/download.ts'
import { showError } from '#api/messages.ts'
import { inlineQuery } from '#api/query.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { installAddress } from '../install-address.ts'
import { drawLabel } from './label-image.ts'
import './labels.css'

/** A4, three across and eight down. */
const PER_SHEET = 24

/** The labels of each sheet; the first sheet starts at the first unused label. */
export const toSheets = <T,>(items: readonly T[], start: number): (T | undefined)[][] => {
  const cells: (T | undefined)[] = [...Array.from<undefined>({ length: start - 1 }), ...items]
  return Array.from({ length: Math.ceil(cells.length / PER_SHEET) }, (_, n) =>
    cells.slice(n * PER_SHEET, (n + 1) * PER_SHEET),
  )
}

const downloadLabel = async (button: HTMLElement, sn: string) => {
  const square = button.closest('.label')?.querySelector('.ant-qrcode svg')
  if (square instanceof SVGElement) save({ name: `${sn}.png`, file: await drawLabel(square, sn) })
}

const Label = ({ device }: { device: DeviceRow }) => {
  const { t } = useTranslation()
  return (
    <>
      {/* Dark squares on white in both themes, as scanners and printers need it. */}
      <QRCode
        value={installAddress(device.sn)}
        size={88}
        type="svg"
        bordered={false}
        color="#000000"
        bgColor="#ffffff"
        marginSize={1}
      />
      <div>
        <b>{device.sn}</b>
        <span>{device.modelName}</span>
        <Button
          className="no-print"
          size="small"
          type="link"
          icon={<DownloadOutlined />}
          aria-label={t('device.labelImage', { sn: device.sn })}
          onClick={({ currentTarget }) => void downloadLabel(currentTarget, device.sn).catch(showError)}
        >
          PNG
        </Button>
      </div>
    </>
  )
}

const Sheets = ({ list }: { list: readonly DeviceRow[] }) => {
  const { t } = useTranslation()
  const [start, setStart] = useState(1)
  if (list.length === 0)
    return (
      <Empty description={t('device.noLabels')}>
        <Link to="/device/device">{t('device.known')}</Link>
      </Empty>
    )
  return (
    <Flex vertical gap="middle">
      <Flex gap="middle" align="center" wrap className="no-print">
        <label htmlFor="label-start">{t('device.labelStart')}</label>
        <InputNumber
          id="label-start"
          min={1}
          max={PER_SHEET}
          precision={0}
          value={start}
          onChange={(next) => setStart(next ?? 1)}
        />
        <Button type="primary" icon={<PrinterOutlined />} onClick={() => window.print()}>
          {t('device.print')}
        </Button>
      </Flex>
      <div className="label-sheets">
        {toSheets(list, start).map((cells, sheet) => (
          // Sheets are identified by their index only.
          <div key={sheet} className="label-sheet">
            {cells.map((device, cell) => (
              <div key={cell} className="label">
                {device && <Label device={device} />}
              </div>
            ))}
          </div>
        ))}
      </div>
    </Flex>
  )
}

/** Labels of the selected devices to print; the QR code opens the installation. */
export const LabelPage = () => {
  const [params] = useSearchParams()
  const ids = (params.get('ids') ?? '').split(',').map(Number).filter(Boolean).slice(0, MAX_PAGE_SIZE)
  const query = useQuery({
    ...inlineQuery(devices.page, { query: { ids, pageSize: MAX_PAGE_SIZE } }),
    enabled: ids.length > 0,
  })
  if (ids.length === 0) return <Sheets list={[]} />
  return <QueryResult query={query}>{({ list }) => <Sheets list={list} />}</QueryResult>
}
