// SPDX-License-Identifier: MIT
#include "gui/widgets/view.h"

#include "gui/style/theme.h"

#include <QFile>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

namespace flowgauge::widgets {

View::View(const ViewContext& context, QWidget* parent) : QWidget(parent), m_context(context) {}

void View::drawPicture(QPainter& painter) { render(&painter, QPoint(), QRegion(), DrawWindowBackground | DrawChildren); }

namespace {

QString writePng(View& view, const QString& file, const QString& about)
{
    constexpr int scale = 2;
    QImage image(view.size() * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(style::paper().background);
    QPainter painter(&image);
    view.drawPicture(painter);
    painter.end();
    image.setText("Description", about);
    return image.save(file, "PNG") ? QString() : View::tr("%1: cannot be written").arg(file);
}

QString writeSvg(View& view, const QString& file, const QString& about)
{
    QFile out(file);
    if (!out.open(QIODevice::WriteOnly)) return View::tr("%1: %2").arg(file, out.errorString());
    QSvgGenerator generator;
    generator.setOutputDevice(&out);
    generator.setSize(view.size());
    generator.setViewBox(view.rect());
    generator.setTitle(view.windowTitle());
    generator.setDescription(about);
    QPainter painter(&generator);
    painter.fillRect(view.rect(), style::paper().background);
    view.drawPicture(painter);
    painter.end();
    return out.error() == QFile::NoError ? QString() : View::tr("%1: %2").arg(file, out.errorString());
}

QString writeCsv(const View& view, const QString& file)
{
    const QByteArray csv = view.csv().toUtf8();
    if (csv.isEmpty()) return View::tr("this view holds no table that could be written as CSV");
    QFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(csv) != csv.size() || !out.flush())
        return View::tr("%1: %2").arg(file, out.errorString());
    return {};
}

}  // namespace

QString exportView(View& view, const QString& file, const QString& about)
{
    if (file.endsWith(".png", Qt::CaseInsensitive)) return writePng(view, file, about);
    if (file.endsWith(".svg", Qt::CaseInsensitive)) return writeSvg(view, file, about);
    if (file.endsWith(".csv", Qt::CaseInsensitive)) return writeCsv(view, file);
    return View::tr("%1: expected a name that ends in .png, .svg or .csv").arg(file);
}

}  // namespace flowgauge::widgets
